// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { createContext, use } from 'react'
import { cx } from './cx.ts'

// Apart from field.tsx, so that a control without a field around it (the header's search) does not load that.

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean }
export const FieldContext = createContext<FieldControl | null>(null)

type OwnAttributes = { id?: string | undefined; 'aria-describedby'?: string | undefined; 'aria-invalid'?: unknown }

/** The attributes that tie a control to the field around it. Every control of the design system calls this; so can one of your own. */
export function useFieldControl(own: OwnAttributes) {
  const field = use(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': cx(own['aria-describedby'], field?.describedBy) || undefined,
    'aria-invalid': own['aria-invalid'] === true || own['aria-invalid'] === 'true' || field?.invalid ? true : undefined,
  } as const
}
