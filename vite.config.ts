import path from 'node:path'
import babel from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devBoot } from './scripts/dev-boot-plugin.ts'

export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  cacheDir: path.join(import.meta.dirname, 'node_modules/.vite'),
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    // Every browser we serve knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Whoever starts the application has no use for these: where the time goes, and that React's "use no memo" is not the bundler's.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: {
        // The entry lists the files of every lazy part, so that they are in each first load: a hash says enough.
        chunkFileNames: 'assets/[hash:7].js',
        codeSplitting: {
          // What every page needs and only an update of packages changes: smaller in one piece, and kept by browsers when our code changes.
          // What of these packages one screen alone uses comes with that screen.
          groups: [
            {
              name: 'base',
              tags: ['$initial'],
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|use-sync-external-store)[\\/]/,
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
  worker: { format: 'es' },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './routes',
      generatedRouteTree: './route-tree.gen.ts',
      quoteStyle: 'single',
    }),
    react(),
    babel({ presets: [reactCompilerPreset()] }),
    tailwindcss(),
    devBoot(),
  ],
})
