import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchHit } from '../../../contracts/search.ts'
import { suggestionsOptions } from './search.api.ts'

/** Milliseconds of quiet before the server is asked: less than a key takes to the next. */
const quiet = 60
const nothing: readonly SearchHit[] = []

/**
 * The best hits for a text that is being typed. Until they are there, those of the text before are kept; a request that is no longer
 * wanted is given up.
 */
export function useSuggestions(text: string) {
  const asked = useQuiet(text)
  const query = useQuery({ ...suggestionsOptions(asked), enabled: asked !== '' })
  return {
    hits: text === '' ? nothing : (query.data ?? nothing),
    /** They are those of this text, and not of an earlier one. */
    isFresh: asked === text && query.isSuccess && !query.isPlaceholderData,
    hasFailed: text !== '' && query.isError && asked === text,
    retry: () => void query.refetch(),
  }
}

function useQuiet(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quiet)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
