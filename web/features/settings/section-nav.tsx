import { useEffect, useRef } from 'react'
import { chipClass } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { SectionLink } from './section-link.tsx'
import { type SectionId, sections } from './sections.ts'

/** A chip on a phone, a row of a list beside the sections. */
const look = (isCurrent: boolean) =>
  chipClass(
    isCurrent,
    cx(
      'lg:min-h-10 lg:w-full lg:rounded-input lg:border-transparent lg:px-3 lg:text-base',
      isCurrent
        ? 'lg:bg-leaf-soft lg:text-ink'
        : 'lg:bg-transparent lg:font-normal lg:text-muted lg:hover:border-transparent lg:hover:bg-sunk',
    ),
  )

/** The sections to go to: a list beside them, and on a phone one line above them. */
export function SectionNav({ current }: { current: SectionId }) {
  const line = useRef<HTMLUListElement>(null)
  // The line is longer than a phone is wide; what is current stays in view. Only the line moves, never the page.
  useEffect(() => {
    const item = line.current?.querySelector<HTMLElement>('[aria-current]')
    if (line.current && item) line.current.scrollLeft = item.offsetLeft - (line.current.clientWidth - item.offsetWidth) / 2
  })
  return (
    <nav
      aria-label="Sections"
      className="max-lg:sticky max-lg:top-16 max-lg:z-10 max-lg:-mx-4 max-lg:border-line max-lg:border-b max-lg:bg-ground sm:max-lg:-mx-6"
    >
      <ul
        ref={line}
        className="relative flex gap-2 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-2 max-lg:[scrollbar-width:none] sm:max-lg:px-6 lg:sticky lg:top-24 lg:grid lg:gap-0.5"
      >
        {sections.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <SectionLink to={id} isCurrent={id === current} className={look(id === current)}>
              {title}
            </SectionLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
