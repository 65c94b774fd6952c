import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devBoot } from './scripts/dev-boot-plugin.ts'
import { offlineWorker } from './scripts/offline-worker-plugin.ts'

/**
 * Route files of frequently opened screens. The chunks of their lazy parts are listed, so that they load in parallel. Other screens and
 * their parts load their own file first and then the rest.
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
      // All supported browsers have modulepreload.
      polyfill: false,
      // Keeps lists of every screen's chunks out of the entry, which everyone loads. The HTML lists those of the first screen.
      resolveDependencies: (file, parts, { hostId }) => (file.startsWith(rarePrefix) || isEntry(hostId) ? [] : parts),
    },
    rolldownOptions: {
      input: ['index.html', 'static-page.html'].map((file) => path.join(import.meta.dirname, 'web', file)),
      // Not useful here: build timings, and warnings about packages' "use client" directives.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: {
        // Lazy chunk names are part of the entry, so in every first load: keep them short.
        chunkFileNames: ({ facadeModuleId }) => chunkName(facadeModuleId),
        codeSplitting: {
          // Packages that every page needs and that change only with updates: smaller as one chunk, and cached across releases. Parts used
          // by a single screen stay with that screen. A few of our own lines are included, which would otherwise become separate files.
          groups: [
            {
              name: 'base',
              tags: ['$initial'],
              test: /rolldown\/runtime|node_modules[\\/](react|react-dom|scheduler|@tanstack|use-sync-external-store)[\\/]|web[\\/](lib[\\/](boot|search-params)|ui[\\/]cx)\.ts/,
            },
            // Small parts used nearly everywhere, as one chunk: compressed together, they are about a kilobyte smaller than as separate files.
            { name: 'parts', test: /web[\\/](ui|lib|entities)[\\/]|lucide-react/, minShareCount: 100 },
            // The icons of the header and the bottom bar, which every member's screen has: 0.8 KB smaller as one chunk.
            {
              name: 'frame-icons',
              test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](bell|chart-column|heart|messages-square|pen-line|search|users-round)\./,
            },
            // Discover needs both. Event pages need only one, so these would become two chunks, which compress worse.
            { name: 'visit', test: /web[\\/]entities[\\/]businesses[\\/](business-notices|directions)\.tsx?$/ },
          ],
        },
      },
    },
    reportCompressedSize: false,
    // An inlined asset would be a data: URL, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    // The map library is a megabyte and loads only with a map.
    chunkSizeWarningLimit: 1200,
  },
  // Built into React since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  worker: { format: 'es' },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // Loaders stay out of the first load, and out of their screens' chunks, so that calls start while those load.
      codeSplittingOptions: { defaultBehavior: [['loader'], ['component']] },
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      quoteStyle: 'single',
    }),
    // Oxc's React compiler instead of Babel's: builds take 14 seconds instead of 37, and the first start waits for a build.
    react({ compiler: true }),
    tailwindcss(),
    offlineWorker(),
    devBoot(),
  ],
})
