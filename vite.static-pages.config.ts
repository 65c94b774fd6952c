import path from 'node:path'
import { defineConfig } from 'vite'

/** Bundles web/static-pages.tsx with all its dependencies, so the server can render these pages. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  cacheDir: path.join(import.meta.dirname, 'node_modules/.vite'),
  build: {
    ssr: 'static-pages.tsx',
    outDir: '../dist/.static-pages',
    emptyOutDir: true,
    minify: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: { entryFileNames: 'static-pages.mjs', chunkFileNames: '[hash:7].mjs' },
    },
  },
  ssr: { noExternal: true },
  oxc: { jsx: { runtime: 'automatic' } },
  logLevel: 'warn',
})
