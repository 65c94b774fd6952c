import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isSection, type SectionId, sectionAt, sections } from './sections.ts'

/** A third of the window down: whoever reads there has left the section above. */
const readingLine = 0.33
/** What a person does to move the page themselves. */
const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
/** Longer than any part takes to come; after that a growing page moves nobody any more. */
const settledMs = 4000

/**
 * The section that is read. The one that was asked for in the address is gone to, gets the focus, and stays in its place while the parts
 * above it arrive and grow, until the person moves.
 */
export function useCurrentSection(): SectionId {
  const { hash, state } = useLocation({ select: ({ hash, state }) => ({ hash, state: state.__TSR_key }) })
  const [current, setCurrent] = useState<SectionId>(isSection(hash) ? hash : sections[0].id)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` is another one when the same link is followed again
  useEffect(() => {
    let isHeld = isSection(hash)
    const read = () => {
      if (isHeld) return
      const tops = sections.map(({ id }) => document.getElementById(id)?.getBoundingClientRect().top ?? 0)
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 2
      setCurrent((sections[sectionAt(tops, window.innerHeight * readingLine, isAtEnd)] ?? sections[0]).id)
    }
    const release = () => {
      isHeld = false
    }
    window.addEventListener('scroll', read, { passive: true })
    for (const move of moves) window.addEventListener(move, release, { passive: true })
    const stopHolding = isSection(hash) ? hold(hash, () => isHeld) : read()
    if (isSection(hash)) setCurrent(hash)
    // A scroll bar that is dragged says nothing but that the page has moved.
    const settled = window.setTimeout(release, settledMs)
    return () => {
      window.removeEventListener('scroll', read)
      for (const move of moves) window.removeEventListener(move, release)
      stopHolding?.()
      window.clearTimeout(settled)
    }
  }, [hash, state])

  return current
}

/** Goes to a section with the focus, and again each time that the page changes its height. @returns ends it */
function hold(id: SectionId, isHeld: () => boolean): () => void {
  const focus = () => document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
  const go = () => {
    document.getElementById(id)?.scrollIntoView()
    // The heading of what stood in for a part has gone with it, and the focus with that.
    if (document.activeElement === document.body) focus()
  }
  focus()
  const growth = new ResizeObserver(() => isHeld() && go())
  growth.observe(document.body)
  go()
  return () => growth.disconnect()
}
