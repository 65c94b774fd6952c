import type { KeyboardEvent } from 'react'

/** What the header's field has to know of the list below it, whose code comes later: for its ARIA attributes. */
export type Suggesting = { isShown: boolean; activeId: string | undefined }
/** The list gets the keys first that are pressed in the field. */
export type FieldKeys = ((event: KeyboardEvent<HTMLInputElement>) => void) | null

export const suggestionListId = 'header-suggestions'
