import type { Plugin } from 'vite'

const helper = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });'
const staticNames = /static \{\s*__name\(this, "\w+"\);\s*\}/g

/**
 * Radix builds its packages so that functions keep their names when they are minified. That makes them longer by a third, and classes that
 * nothing uses cannot be left out: of the tabs alone it is three kilobytes (brotli). The names are for nobody here.
 */
export function leanRadix(): Plugin {
  return {
    name: 'sungrove-lean-radix',
    apply: 'build',
    transform: {
      filter: { id: /@radix-ui[\\/].*\.mjs$/, code: '__name' },
      handler: (code) => ({ code: code.replace(helper, 'var __name = (target) => target;').replace(staticNames, ''), map: null }),
    },
  }
}
