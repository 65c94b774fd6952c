import type { ReactNode } from 'react'

/** The keys of this machine, as they are printed. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const withCommand = (key: string): string => (isApple ? `⌘${key}` : `Ctrl ${key}`)

/** A key, as seen on a keyboard. */
export const KeyHint = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-tag border border-line bg-surface px-1.5 font-text text-muted text-xs/5 whitespace-nowrap pointer-coarse:hidden">
    {children}
  </kbd>
)
