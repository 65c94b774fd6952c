import { useLayoutEffect, useState } from 'react'

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set

const fields = () => [...document.querySelectorAll('input')].filter(({ name }) => name)

/**
 * What somebody has typed into the HTML that came with the page, and where they are in it, goes on in the screen that takes its place.
 * The first drawing of the app reads it, and gives it back when its own fields are there.
 */
export function KeepTyped() {
  const [before] = useState(() =>
    fields().map(({ name, value }) => ({ name, value, isHere: document.activeElement?.getAttribute('name') === name })),
  )
  useLayoutEffect(() => {
    for (const { name, value, isHere } of before) {
      const field = fields().find((one) => one.name === name)
      if (!field) continue
      // As if typed: the form hears of it. React would not notice a value that is set on the element itself.
      if (value && field.type !== 'checkbox' && field.type !== 'radio') {
        setValue?.call(field, value)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      if (isHere) field.focus()
    }
  }, [before])
  return null
}
