import type { ReactNode } from 'react'

export const SettingsRows = ({ children }: { children: ReactNode }) => <ul className="grid divide-y divide-line">{children}</ul>

type SettingsRowProps = {
  title: string
  hint?: ReactNode
  /** On the right; below on narrow screens. */
  children: ReactNode
}

export function SettingsRow({ title, hint, children }: SettingsRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{title}</p>
        {hint && <p className="text-muted text-sm wrap-anywhere">{hint}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </li>
  )
}

export const SwitchRow = ({ children }: { children: ReactNode }) => <li className="py-4 first:pt-0 last:pb-0">{children}</li>
