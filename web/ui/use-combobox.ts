import { useEffect, useRef, useState } from 'react'

export type OptionsStatus = 'idle' | 'loading' | 'ready' | 'failed'

/** Returns the index of the next active option. -1 is the text field, which comes between the last option and the first. */
export function nextActive(active: number, count: number, key: 'ArrowDown' | 'ArrowUp'): number {
  if (count === 0) return -1
  if (key === 'ArrowDown') return active + 1 >= count ? -1 : active + 1
  return active === -1 ? count - 1 : active - 1
}

type Loading<T> = {
  load: (text: string, signal: AbortSignal) => Promise<readonly T[]>
  /** Debounce in milliseconds. */
  delay: number
  minLength: number
}

/** Shows the last list until the next arrives. */
export function useAsyncOptions<T>({ load, delay, minLength }: Loading<T>) {
  const [options, setOptions] = useState<readonly T[]>([])
  const [status, setStatus] = useState<OptionsStatus>('idle')
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController } | null>(null)

  function cancel() {
    if (!pending.current) return
    clearTimeout(pending.current.timer)
    pending.current.controller.abort()
    pending.current = null
  }

  function request(text: string) {
    cancel()
    if (text.trim().length < minLength) {
      setOptions([])
      setStatus('idle')
      return
    }
    setStatus('loading')
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const found = await load(text.trim(), controller.signal)
        if (controller.signal.aborted) return
        setOptions(found)
        setStatus('ready')
      } catch {
        if (controller.signal.aborted) return
        setOptions([])
        setStatus('failed')
      }
    }, delay)
    pending.current = { timer, controller }
  }

  // Drop responses that arrive after unmounting.
  useEffect(
    () => () => {
      clearTimeout(pending.current?.timer)
      pending.current?.controller.abort()
    },
    [],
  )

  return { options, status, request, cancel }
}
