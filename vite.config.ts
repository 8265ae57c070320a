import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const folder = import.meta.dirname
const componentStyles = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/

/** The styles of each Mantine component come with its code, so that a page reads those of what it shows and no others. */
function stylesWithComponents(): Plugin {
  return {
    name: 'styles-with-components',
    apply: 'build',
    transform: {
      filter: { id: componentStyles },
      handler(code, id) {
        const component = componentStyles.exec(id)?.[1]
        const styles = `@mantine/core/styles/${component}.css`
        if (!existsSync(join(folder, 'node_modules', styles))) return null
        return { code: `import '${styles}'\n${code}`, map: null }
      },
    },
  }
}

/** While somebody changes the client all of Mantine's styles are there at once: its code is bundled beforehand, without styles. */
function allStyles(): Plugin {
  return {
    name: 'all-styles',
    apply: 'serve',
    transform: {
      filter: { id: /\/client\/product\.tsx$/ },
      handler: (code) => ({ code: `import '@mantine/core/styles.css'\n${code}`, map: null }),
    },
  }
}

const typeface = join(folder, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

/** The product's typeface at an address that does not change, for the pages outside it: signing in, choosing a password. */
function typefaceOutside(): Plugin {
  return {
    name: 'typeface-outside',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'inter.woff2', source: readFileSync(typeface) })
    },
    configureServer: ({ middlewares }) => void middlewares.use('/inter.woff2', (_req, res) => res.end(readFileSync(typeface))),
  }
}

/** Whether many pages may share a module: not what only parts of pages read, such as charts, the sheet, and files. */
const isOfPages = (id: string): boolean =>
  !/ag-grid|recharts|@mantine\/charts|d3-|victory|redux|reselect|immer|es-toolkit|tiptap|prosemirror|dropzone|decimal.js-light|eventemitter|react-is|file-selector|attr-accept|calculation\/(engines?|staffing|exact)|write-excel|fflate|papaparse|react-transition|resources\/(import|sheets)|domain\/(files|payroll\/files)/.test(
    id,
  )

export default defineConfig({
  root: 'client',
  define: { __VERSION__: JSON.stringify(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version) },
  plugins: [react(), stylesWithComponents(), allStyles(), typefaceOutside()],
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'product.tsx'].map((name) => join(folder, 'client', name)),
      // Two thirds of all modules are icons that nothing shows: they are not read.
      experimental: { lazyBarrel: true },
      output: {
        codeSplitting: {
          groups: [
            // Enough to find out whether somebody is signed in: the page to sign in reads no more.
            {
              name: 'session',
              priority: 9,
              test: /oidc-client-ts|jwt-decode|rolldown\/runtime|shell\/session\/session\.ts|vite\/(preload-helper|modulepreload)|client\/(main\.ts|index\.html)$/,
            },
            // The first screen, and nothing else.
            { name: 'base', priority: 8, tags: ['$initial'] },
            // Dialogs, menus and lists of options, which load once the first screen is shown.
            {
              name: 'overlays',
              priority: 7,
              test: /floating-ui|remove-scroll|@mantine\/(modals|hooks)|client\/ui\/(dialogs\/Dialog|\w+\.module\.css)|words\/notices|awaitedFiles|@mantine\/core\/esm\/components\/(Combobox|Drawer|Menu|Modal|ModalBase|Popover|ScrollArea|Text|Tooltip)\//,
            },
            // What a fifth of all pages share, and then what several lists share: two files in place of sixty small ones.
            { name: 'lists', priority: 6, minShareCount: 16, test: isOfPages },
            {
              name: 'tables',
              priority: 5,
              minShareCount: 4,
              test: /@tanstack|client\/ui\/|client\/shell\/(?!images)|resources\/(list\/|\w+\.tsx?)|domain\/resources\/\w+\.ts|tabler|@mantine\/(core|hooks)/,
            },
          ],
        },
      },
    },
    // A page finds what it imports by itself: lists of it for every page would weigh 7 kB on the first screen.
    modulePreload: { resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []) },
  },
  // Packages of every page are bundled when the development server starts: one that is met later would load the page again.
  optimizeDeps: { entries: ['index.html', '**/*.tsx', '!dist*/**'] },
  cacheDir: join(folder, '.cache/vite'),
  server: {
    watch: { ignored: ['**/dist/**', '**/dist.new/**'] },
    // What pages import, and nothing else of this folder, which holds secrets too. A second working tree may link to the packages of the first.
    fs: { allow: [...['client', 'domain', '.cache/vite'].map((name) => join(folder, name)), realpathSync(join(folder, 'node_modules'))] },
  },
})
