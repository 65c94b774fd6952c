import { createContext, use } from 'react'
import { cx } from './cx.ts'

// Separate from field.tsx, so that controls without a field (the header's search) don't load it.

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }
export const FieldContext = createContext<FieldControl | null>(null)

type OwnAttributes = { id?: string | undefined; 'aria-describedby'?: string | undefined; 'aria-invalid'?: unknown }

/** Attributes that link a control to its surrounding field. Required for every control of the design system, also usable in custom ones. */
export function useFieldControl(own: OwnAttributes) {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': cx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': own['aria-invalid'] === true || own['aria-invalid'] === 'true' || field?.invalid ? true : undefined,
  } as const
}
