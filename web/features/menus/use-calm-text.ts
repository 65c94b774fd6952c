import { useEffect, useState } from 'react'

/** A text that is being typed, once the hand has rested for `ms` milliseconds. */
export function useCalmText(text: string, ms = 250): string {
  const [calm, setCalm] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return calm
}
