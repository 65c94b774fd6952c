import { useLayoutEffect } from 'react'

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

const place = () => document.getElementById('root')

/** An element by what it is and says, and which of those it is: the HTML was drawn by the same components. */
type Whereabouts = { key: string; index: number }

const keyOf = (one: Element): string =>
  [
    one.tagName,
    one.getAttribute('name') ?? one.getAttribute('aria-label') ?? one.getAttribute('href') ?? one.textContent?.slice(0, 80),
  ].join(' ')

const elementsLike = (key: string): Element[] =>
  [...(place()?.getElementsByTagName(key.split(' ', 1)[0] ?? '') ?? [])].filter((one) => keyOf(one) === key)

function whereabouts(one: Element): Whereabouts {
  const key = keyOf(one)
  return { key, index: elementsLike(key).indexOf(one) }
}

const find = ({ key, index }: Whereabouts): Element | undefined => elementsLike(key)[index]

// The HTML that came with the page. It is looked at until it goes: somebody may type on while the app draws what takes its place.
const html = [...(place()?.children ?? [])]
const fields = [...(place()?.querySelectorAll('input') ?? [])]
  .filter(({ name, type }) => name && type !== 'checkbox' && type !== 'radio')
  .map((field) => ({ field, where: whereabouts(field) }))
let focused: Whereabouts | null = null

function lookForFocus() {
  const element = document.activeElement
  if (element && html.some((part) => part.contains(element))) focused = whereabouts(element)
}
lookForFocus()
// Not when it goes, which it does with its element, too.
document.addEventListener('focusin', lookForFocus)

/** What somebody has typed into the HTML that came with the page, and where they are in it, goes on in the screen that takes its place. */
export function TakeOver() {
  useLayoutEffect(() => {
    document.removeEventListener('focusin', lookForFocus)
    // From here on buttons do what they say: see ui/base.css.
    place()?.removeAttribute('data-ahead')
    const focusedNow = focused && find(focused)
    focused = null
    if (focusedNow instanceof HTMLElement) focusedNow.focus({ preventScroll: true })
    for (const { field, where } of fields.splice(0)) {
      const next = find(where)
      if (!field.value || !(next instanceof HTMLInputElement)) continue
      // As if typed: the form hears of it. React would not notice a value that is set on the element itself.
      setValue?.call(next, field.value)
      next.dispatchEvent(new Event('input', { bubbles: true }))
      if (next === focusedNow && field.selectionStart !== null) next.setSelectionRange(field.selectionStart, field.selectionEnd)
    }
  }, [])
  return null
}
