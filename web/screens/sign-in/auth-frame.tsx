import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { AuthAside } from './auth-aside.tsx'

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
