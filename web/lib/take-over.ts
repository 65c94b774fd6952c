import { useLayoutEffect, useState } from 'react'

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

const place = () => document.getElementById('root')

const fields = () => [...document.querySelectorAll('input')].filter(({ name }) => name)

/**
 * What somebody has typed into the HTML that came with the page, and where they are in it, goes on in the screen that takes its place.
 * The first drawing of the app reads it, and gives it back when its own elements are there.
 */
export function TakeOver() {
  const [typed] = useState(() => fields().map(({ name, value }) => ({ name, value })))
  const [focused] = useState(readFocus)
  useLayoutEffect(() => {
    // From here on buttons do what they say: see ui/base.css.
    place()?.removeAttribute('data-ahead')
    for (const { name, value } of typed) {
      const field = fields().find((one) => one.name === name)
      if (!field || !value || field.type === 'checkbox' || field.type === 'radio') continue
      // As if typed: the form hears of it. React would not notice a value that is set on the element itself.
      setValue?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (focused) focusAgain(focused)
  }, [typed, focused])
  return null
}

/** An element by what it is and says, and which of those it is: the HTML was drawn by the same components. */
type Whereabouts = { key: string; index: number }

const keyOf = (one: Element): string =>
  [
    one.tagName,
    one.getAttribute('name') ?? one.getAttribute('aria-label') ?? one.getAttribute('href') ?? one.textContent?.slice(0, 80),
  ].join(' ')

const elementsLike = (key: string): Element[] =>
  [...(place()?.getElementsByTagName(key.split(' ', 1)[0] ?? '') ?? [])].filter((one) => keyOf(one) === key)

function readFocus(): Whereabouts | null {
  const focused = document.activeElement
  if (!focused || !place()?.contains(focused)) return null
  const key = keyOf(focused)
  return { key, index: elementsLike(key).indexOf(focused) }
}

function focusAgain({ key, index }: Whereabouts): void {
  const found = elementsLike(key)[index]
  if (found instanceof HTMLElement) found.focus({ preventScroll: true })
}
