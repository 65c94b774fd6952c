import type { KeyScope } from '#contracts/choices.ts'

export const scopeWords: Record<KeyScope, { title: string; help: string }> = {
  'menu:read': { title: 'Read menu', help: 'Read the menu, with stock and hidden items, and the results of syncs' },
  'menu:write': { title: 'Change menu', help: 'Add, change and remove menu items' },
}
