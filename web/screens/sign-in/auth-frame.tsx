import { BadgeCheck, MapPinOff, Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { MorningHills } from '#web/entities/accounts/morning-hills.tsx'
import { brand } from '#web/lib/boot.ts'
import { cx } from '#web/ui/cx.ts'

export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-page gap-8 px-4 py-8 sm:px-6 sm:py-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)] lg:gap-12 lg:py-16">
      <aside className="relative isolate hidden overflow-clip rounded-card border border-line bg-surface lg:block">
        <AuthAside />
      </aside>
      <div className="mx-auto w-full max-w-[29rem] lg:mx-0">{children}</div>
    </div>
  )
}

export function AuthSheet({ title, description, children, className }: AuthSheetProps) {
  return (
    <section className={cx('rounded-card border border-line bg-surface p-5 sm:p-8', className)}>
      <h1 className="text-2xl">{title}</h1>
      {description && <p className="mt-2 text-muted">{description}</p>}
      <div className="mt-5">{children}</div>
    </section>
  )
}

type AuthSheetProps = { title: string; description?: ReactNode; children: ReactNode; className?: string }

const promises = [
  { icon: BadgeCheck, text: 'Listings come from public license registers, with their source and date.' },
  { icon: Scale, text: 'Businesses are ranked by rating, then by license, then by distance.' },
  { icon: MapPinOff, text: 'We show only your city, never your exact location.' },
]

function AuthAside() {
  return (
    <div className="grid h-full grid-rows-[minmax(14rem,1fr)_auto]">
      <div data-cover="farm" className="bg-linear-to-b from-surface to-(--cover-sky)">
        <MorningHills />
      </div>
      <div className="grid gap-5 p-8">
        <p className="max-w-[16ch] font-display text-3xl text-balance">{brand.tagline}</p>
        <ul className="grid gap-3 text-muted">
          {promises.map(({ icon: Icon, text }) => (
            <li key={text} className="flex gap-3">
              <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
