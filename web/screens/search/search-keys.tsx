import type { KeyboardEvent, ReactNode } from 'react'
import { createDeviceSwitch } from '#web/lib/shortcut-keys.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const withCommand = (key: string): string => (isApple ? `⌘${key}` : `Ctrl ${key}`)

export const KeyHint = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-tag border border-line bg-surface px-1.5 font-text text-muted text-xs/5 whitespace-nowrap pointer-coarse:hidden">
    {children}
  </kbd>
)

export const slashKey = createDeviceSwitch('slash-key')

/** The list loads on demand, and reports what the header's field needs for its ARIA attributes. */
export type Suggesting = { isShown: boolean; activeId: string | undefined }
/** Handles the field's keys while the list is open. Null otherwise. */
export type FieldKeys = ((event: KeyboardEvent<HTMLInputElement>) => void) | null

export const suggestionListId = 'header-suggestions'
