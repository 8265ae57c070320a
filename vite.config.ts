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
      filter: { id: /\/client\/main\.tsx$/ },
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

export default defineConfig({
  root: 'client',
  define: { __VERSION__: JSON.stringify(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version) },
  plugins: [react(), stylesWithComponents(), allStyles(), typefaceOutside()],
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // Two thirds of all modules are icons that nothing shows: they are not read.
      experimental: { lazyBarrel: true },
      // What a third of all pages and dialogs share comes with the product in one piece, in place of sixty small ones.
      // Tables come with the pages that show one.
      output: {
        codeSplitting: {
          groups: [{ name: 'base', minShareCount: 42, test: (id) => !/ui\/table\/|@tanstack\/(react-)?(table|virtual|store)/.test(id) }],
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
