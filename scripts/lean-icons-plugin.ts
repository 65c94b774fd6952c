import path from 'node:path'
import type { Plugin } from 'vite'

/** Has lucide-react make its icons with `web/ui/lucide-icon.ts`: of what its own way can do nothing is used here, and each page loads it. */
export function leanIcons(): Plugin {
  return {
    name: 'sungrove-lean-icons',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /\/createLucideIcon\.mjs$/ },
      handler: () => path.join(import.meta.dirname, '../web/ui/lucide-icon.ts'),
    },
  }
}
