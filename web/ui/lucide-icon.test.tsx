import { Bell, Check, ExternalLink, Heart, Store } from 'lucide-react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import createLucideIcon from './lucide-icon.ts'

const icons = [
  [Bell, 'bell'],
  [Check, 'check'],
  [ExternalLink, 'external-link'],
  [Heart, 'heart'],
  [Store, 'store'],
] as const

const uses = [
  {},
  { className: 'size-4 text-leaf' },
  { 'aria-hidden': true },
  { 'aria-label': '(opens in a new tab)' },
  { strokeWidth: 2.5, width: 12 },
  { children: <title>Yes</title> },
]

/** Attributes in one order, and no name of the icon among the classes: nothing here asks for one. */
function normal(markup: string): string {
  return markup.replace(/<svg ([^>]*)>/, (_, attributes: string) => {
    const sorted = [...attributes.replace(/ lucide-[a-z-]+/g, '').matchAll(/[\w-]+="[^"]*"/g)].map(([each]) => each).sort()
    return `<svg ${sorted.join(' ')}>`
  })
}

test.each(icons)('an icon of a build is drawn as lucide-react draws it', async (Own, name) => {
  const Lean = createLucideIcon((await import(`lucide-react/dist/esm/icons/${name}.mjs`)).__iconData)
  for (const props of uses) expect(normal(renderToStaticMarkup(<Lean {...props} />))).toBe(normal(renderToStaticMarkup(<Own {...props} />)))
})
