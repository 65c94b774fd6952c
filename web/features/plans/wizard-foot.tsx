import type { ReactNode } from 'react'

/** Back at the one side, onward at the other. */
export function WizardFoot({ back, children }: { back: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      {back || <span />}
      {children}
    </div>
  )
}
