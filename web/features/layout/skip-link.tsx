// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import type { RefObject } from 'react'
import { buttonClass } from '../../ui/button-class.ts'

/** The first stop of the Tab key; hidden until it is reached. */
export function SkipLink({ target }: { target: RefObject<HTMLElement | null> }) {
  return (
    <a
      href={`#${mainId}`}
      className={buttonClass('primary', 'md', 'fixed top-3 left-3 z-50 not-focus:sr-only')}
      onClick={(event) => {
        // The browser's own jump would add the anchor to the address.
        event.preventDefault()
        target.current?.focus()
        target.current?.scrollIntoView()
      }}
    >
      Skip to content
    </a>
  )
}

export const mainId = 'main'
