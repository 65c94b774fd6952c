import type { ReactNode } from 'react'
import './public-page.css'
import { Link, type LinkProps } from '@tanstack/react-router'
import { brand } from '#web/lib/boot.ts'
import { textLink } from '#web/ui/link-styles.ts'

export type PublicSection = { id: string; title: string; body: ReactNode }

type PublicPageProps = {
  title: string
  lead: ReactNode
  /** For legal texts: "November 21, 2026". */
  changed?: string
  sections: readonly PublicSection[]
}

export function PublicPage({ title, lead, changed, sections }: PublicPageProps) {
  return (
    <div className="mx-auto max-w-page px-4 pt-10 pb-20 sm:px-6 sm:pt-14">
      <header className="max-w-text">
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        <p className="mt-4 text-lg text-muted">{lead}</p>
        {changed && <p className="mt-3 text-muted text-sm">Last updated on {changed}</p>}
      </header>
      <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-labelledby="contents" className="self-start rounded-card border border-line p-5 lg:sticky lg:top-24 lg:border-0 lg:p-0">
          <h2 id="contents" className="font-semibold font-text text-sm tracking-normal">
            On this page
          </h2>
          <ol className="mt-3 grid gap-1 lg:border-line lg:border-l">
            {sections.map(({ id, title: name }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block rounded-tag py-1 text-muted text-sm transition-colors hover:text-ink hover:underline hover:underline-offset-3 lg:pl-4 pointer-coarse:py-3"
                >
                  {name}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="public-text max-w-text">
          {sections.map(({ id, title: name, body }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id} className="text-xl sm:text-2xl">
                {name}
              </h2>
              {body}
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

export function PageLink({ children, ...link }: Pick<LinkProps, 'to' | 'hash' | 'params'> & { children: ReactNode }) {
  return (
    <Link {...link} className={textLink}>
      {children}
    </Link>
  )
}

export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} rel="noreferrer" className={textLink}>
      {children}
    </a>
  )
}

export function SupportMail({ subject, children = brand.supportEmail }: { subject?: string; children?: ReactNode }) {
  return (
    <a href={supportMailUrl(subject)} className={textLink}>
      {children}
    </a>
  )
}

export function supportMailUrl(subject?: string): string {
  return `mailto:${brand.supportEmail}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
}
