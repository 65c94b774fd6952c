// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import { type ComponentType, lazy, type ReactNode } from 'react'
import { WhenSeen } from '#web/lib/when-seen.tsx'
import { cx } from '#web/ui/cx.ts'

const loadAside = () => import('./auth-aside.tsx')
/** If the chunk fails to load, for example offline, the form appears without it. */
const AuthAside = lazy<ComponentType>(async () => ({ default: (await loadAside().catch(() => null))?.AuthAside ?? (() => null) }))

export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid w-full max-w-page gap-8 px-4 py-8 sm:px-6 sm:py-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)] lg:gap-12 lg:py-16">
      <aside className="relative isolate hidden overflow-clip rounded-card border border-line bg-surface lg:block">
        <WhenSeen load={loadAside} className="grid h-full grid-rows-[minmax(14rem,1fr)_auto]">
          <AuthAside />
        </WhenSeen>
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
