import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { Progress } from './progress.tsx'
import { toastDuration, toastLimit, toastRemoveDelay } from './toast-store.ts'
import ToastViewport from './toast-viewport.tsx'

/** Includes the element's descendants, without rendering them. */
function elements(node: unknown): ReactElement<Record<string, unknown>>[] {
  if (Array.isArray(node)) return node.flatMap(elements)
  if (typeof node !== 'object' || node === null || !('props' in node)) return []
  const element = node as ReactElement<Record<string, unknown>>
  return [element, ...elements(element.props.children)]
}

const propsWith = (node: unknown, name: string) => elements(node).find(({ props }) => name in props)?.props

test('shows a toast for 5000 ms, dismisses it after a 50 px swipe, and focuses it on F8', () => {
  expect([toastLimit, toastDuration, toastRemoveDelay]).toEqual([1, 5000, 1_000_000])
  const viewport = ToastViewport({ toasts: [], onDismiss: () => {} })
  expect(propsWith(viewport, 'duration')).toMatchObject({ duration: 5000, swipeThreshold: 50 })
  expect(propsWith(viewport, 'hotkey')).toMatchObject({ hotkey: ['F8'] })
})

test('measures progress out of 100 by default', () => {
  expect(Progress({ label: 'Uploading', value: 40 }).props).toMatchObject({ 'aria-valuemax': 100, 'aria-valuenow': 40 })
  expect(Progress({ label: 'Steps', value: 2, max: 4 }).props).toMatchObject({ 'aria-valuemax': 4, 'aria-valuenow': 2 })
})
