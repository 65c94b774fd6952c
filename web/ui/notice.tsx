import { Unlink } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

type NoticeProps = { icon: ReactNode; title: string; children: ReactNode; tone?: 'leaf' | 'clay' }

/** Replaces a form or fills a screen. Its heading receives focus, because the field that had focus may be gone. */
export function Notice({ icon, title, children, tone = 'leaf' }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-5 text-muted sm:p-8">
      <span
        aria-hidden="true"
        className={`mb-1 grid size-12 place-items-center rounded-full [&_svg]:size-6 ${tone === 'leaf' ? 'bg-leaf-soft text-leaf' : 'bg-clay-soft text-clay'}`}
      >
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-2xl text-ink">
        {title}
      </h1>
      {children}
    </section>
  )
}

/** For emailed links that have expired or been used. */
export const ExpiredLinkNotice = ({ children }: { children: ReactNode }) => (
  <Notice icon={<Unlink />} tone="clay" title="This link no longer works">
    {children}
  </Notice>
)

/** Describes what a section of a screen will show. For a whole screen or list, see empty-state.tsx. */
export const EmptyNote = ({ children }: { children: ReactNode }) => (
  <p className="rounded-card border border-line border-dashed px-5 py-6 text-muted">{children}</p>
)
