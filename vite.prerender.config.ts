import path from 'node:path'
import { defineConfig } from 'vite'
import { leanIcons } from './scripts/lean-icons-plugin.ts'

/** Builds web/prerender.tsx, which the server runs to make pages HTML before script, with all that it needs. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'web'),
  cacheDir: path.join(import.meta.dirname, 'node_modules/.vite'),
  build: {
    ssr: 'prerender.tsx',
    outDir: '../dist/.prerender',
    emptyOutDir: true,
    minify: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      output: { entryFileNames: 'prerender.mjs', chunkFileNames: '[hash:7].mjs' },
    },
  },
  ssr: { noExternal: true },
  oxc: { jsx: { runtime: 'automatic' } },
  // What the browser goes on with must be what was drawn.
  plugins: [leanIcons()],
  logLevel: 'warn',
})
