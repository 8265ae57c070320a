import { existsSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const componentStyles = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/

/**
 * The styles of each component of Mantine come with its code, and those of what components share: a page reads those of what it shows, and no
 * others.
 */
function stylesWithComponents(): Plugin {
  return {
    name: 'styles-with-components',
    transform: {
      filter: { id: componentStyles },
      handler(code, id) {
        const component = componentStyles.exec(id)?.[1]
        const styles = `@mantine/core/styles/${component}.css`
        if (!existsSync(new URL(`./node_modules/${styles}`, import.meta.url))) return null
        return { code: `import '${styles}'\n${code}`, map: null }
      },
    },
  }
}

/** The product's typeface at an address that does not change, for the pages outside it: signing in, choosing a password. */
function typefaceOutside(): Plugin {
  const file = './node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  return {
    name: 'typeface-outside',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'inter.woff2', source: readFileSync(new URL(file, import.meta.url)) })
    },
  }
}

export default defineConfig({
  root: 'client',
  define: { __VERSION__: JSON.stringify(JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).version) },
  plugins: [react(), stylesWithComponents(), typefaceOutside()],
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // Two thirds of all modules are icons that nothing shows: they are not read.
      experimental: { lazyBarrel: true },
      // What a third of all pages and dialogs share comes with the product in one piece, in place of sixty small ones.
      output: { codeSplitting: { groups: [{ name: 'base', minShareCount: 40 }] } },
    },
    // A page finds what it imports by itself: lists of it for every page would weigh 7 kB on the first screen.
    modulePreload: { resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []) },
  },
  server: {
    proxy: {
      '/trpc': 'http://localhost:3000',
      '/api': 'http://localhost:3000',
      '/oidc': 'http://localhost:3000',
      '/interaction': 'http://localhost:3000',
      '/config.json': 'http://localhost:3000',
      '/OrganisationHub': { target: 'http://localhost:3000', ws: true },
    },
  },
})
