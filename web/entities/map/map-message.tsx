import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'

export function MapMessage({ className, children }: { className?: string | undefined; children?: ReactNode }) {
  return (
    <div className={cx('grid size-full min-h-40 place-items-center bg-sunk p-6 text-center text-sm text-muted', className)}>
      {children && <p className="max-w-64 text-balance">{children}</p>}
    </div>
  )
}
