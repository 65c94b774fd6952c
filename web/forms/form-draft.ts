import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { forget, recall, remember } from './tab-memory.ts'

const key = (name: string) => `draft.${name}`

/** Draft key of the sign-in form. The password reset form starts with its email address. */
export const signInDraft = 'sign-in'

/** Saves form values. Must not receive secrets. */
export const saveDraft = (name: string, values: Record<string, unknown>): void => remember(key(name), values)

/** Call once the form has been submitted. */
export const dropDraft = (name: string): void => forget(key(name))

/**
 * Initial form values: `empty` overlaid with the saved draft.
 * Ignores unknown fields and values of the wrong type.
 */
export function withDraft<Values extends object>(name: string, empty: Values): Values {
  const draft = recall(key(name))
  if (typeof draft !== 'object' || draft === null) return empty
  const entries = Object.entries(draft).filter(([field, value]) => {
    const expected: unknown = empty[field as keyof Values]
    return expected !== undefined && typeof value === typeof expected && Array.isArray(value) === Array.isArray(expected)
  })
  return { ...empty, ...Object.fromEntries(entries) }
}

/**
 * Saves form values as they change, so they survive a reload and signing in. Never saves the fields in `except`, such as secrets.
 * @returns stops saving and deletes the draft; call it once the form has been submitted
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
