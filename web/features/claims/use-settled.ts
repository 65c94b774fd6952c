import { useEffect, useState } from 'react'

/** A value once it has stayed the same for so many milliseconds: what is typed is asked about when the typing rests. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
