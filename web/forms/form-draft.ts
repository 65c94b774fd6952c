import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { getTabItem, removeTabItem, setTabItem } from './tab-memory.ts'

const key = (name: string) => `draft.${name}`

/** The password reset form starts with this draft's email address. */
export const signInDraft = 'sign-in'

/** Must not receive secrets. */
export const saveDraft = (name: string, values: Record<string, unknown>): void => setTabItem(key(name), values)

/** Call once the form has been submitted. */
export const dropDraft = (name: string): void => removeTabItem(key(name))

/** Overlays `empty` with the saved draft. Ignores unknown fields and values of the wrong type. */
export function withDraft<Values extends object>(name: string, empty: Values): Values {
  const draft = getTabItem(key(name))
  if (typeof draft !== 'object' || draft === null) return empty
  const entries = Object.entries(draft).filter(([field, value]) => {
    const expected: unknown = empty[field as keyof Values]
    return expected !== undefined && typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected)
  })
  return { ...empty, ...Object.fromEntries(entries) }
}

/**
 * Saves values as they change, so they survive reloading and signing in. Skips the fields in `except`, such as secrets.
 * @returns a function that stops saving and deletes the draft; call it once the form has been submitted
 */
export function useDraft<Values extends FieldValues>(
  { subscribe }: Pick<UseFormReturn<Values>, 'subscribe'>,
  name: string,
  except: readonly (keyof Values & string)[] = [],
): () => void {
  const unsubscribe = useRef<(() => void) | null>(null)
  const secrets = except.join()
  useEffect(() => {
    const left = secrets.split(',')
    unsubscribe.current = subscribe({
      formState: { values: true },
      callback: ({ values }) => saveDraft(name, Object.fromEntries(Object.entries(values).filter(([field]) => !left.includes(field)))),
    })
    return () => unsubscribe.current?.()
  }, [subscribe, name, secrets])
  return () => {
    unsubscribe.current?.()
    dropDraft(name)
  }
}
