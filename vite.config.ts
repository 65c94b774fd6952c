import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devBoot } from './scripts/dev-boot-plugin.ts'
import { leanContracts } from './scripts/lean-contracts-plugin.ts'
import { leanIcons } from './scripts/lean-icons-plugin.ts'
import { leanRadix } from './scripts/lean-radix-plugin.ts'
import { offlineWorker } from './scripts/offline-worker-plugin.ts'
import { smallFirstLoad } from './scripts/small-first-load-plugin.ts'

/**
 * Screens that many people open, by their route files. What their lazy parts consist of is listed, so that all of it comes at once. Other
 * screens, and their parts, begin with their own file and then ask for the rest.
 */
const frequent = ['landing', 'auth', 'signup', 'onboarding', 'index', 'discover', 'business.$id', 'post.$id', 'notifications']

const rarePrefix = 'assets/r-'
const isEntry = (file: string) => file.startsWith('assets/index-')

function chunkName(module: string | null | undefined): string {
  const route = /\/routes\/(.+)\.tsx/.exec(module ?? '')?.[1]
  return route === undefined || frequent.includes(route) ? 'assets/[hash:7].js' : `${rarePrefix}[hash:7].js`
}

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  cacheDir: path.join(import.meta.dirname, 'node_modules/.vite'),
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    modulePreload: {
      // Every browser we serve knows modulepreload.
      polyfill: false,
      // The entry has no lists of what each screen consists of: everybody would load them all. For the first screen the HTML lists it.
      resolveDependencies: (file, parts, { hostId }) => (file.startsWith(rarePrefix) || isEntry(hostId) ? [] : parts),
    },
    rolldownOptions: {
      input: ['index.html', 'start.ts'].map((file) => path.join(import.meta.dirname, 'web', file)),
      // Whoever starts the application has no use for these: where the time goes, and that React's "use no memo" is not the bundler's.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: {
        // The entry names the files of lazy parts, so that they are in each first load: a hash says enough.
        chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId),
        codeSplitting: {
          // What every page needs and only an update of packages changes: smaller in one piece, and kept by browsers when our code changes.
          // What of these packages one screen alone uses comes with that screen. Some lines of ours that screens use, too, would be files
          // of their own.
          groups: [
            {
              name: 'base',
              tags: ['$initial'],
              test: /rolldown\/runtime|node_modules[\\/](react|react-dom|scheduler|@tanstack|use-sync-external-store)[\\/]|web[\\/](lib[\\/](boot|search-params)|ui[\\/]cx)\.ts/,
            },
          ],
        },
      },
    },
    reportCompressedSize: false,
    // An inlined asset would be a data: URL, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    // The map's library is a megabyte and loads only where a map is shown.
    chunkSizeWarningLimit: 1200,
  },
  // React has it itself since its version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  worker: { format: 'es' },
  plugins: [
    leanContracts(path.join(import.meta.dirname, 'web')),
    leanIcons(),
    leanRadix(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      quoteStyle: 'single',
    }),
    // Oxc's React compiler, not Babel's: a build takes 14 seconds instead of 37, and the first start waits for it.
    react({ compiler: true }),
    tailwindcss(),
    smallFirstLoad(),
    offlineWorker(),
    devBoot(),
  ],
})
