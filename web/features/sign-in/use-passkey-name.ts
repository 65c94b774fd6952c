import { type ChangeEvent, useRef, useState } from 'react'
import { PasskeyName } from '../../../contracts/sign-in.ts'

/** The name of a passkey while it is typed, and what is wrong with it. */
export function usePasskeyName(start: string) {
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(start)
  const [error, setError] = useState('')

  function refuse(problem: string): void {
    setError(problem)
    field.current?.focus()
  }

  /** Whether it may be sent. */
  function check(): boolean {
    const problem = PasskeyName.safeParse(name).error?.issues[0]?.message
    if (problem) refuse(problem)
    return !problem
  }

  const input = {
    ref: field,
    autoComplete: 'off',
    maxLength: 60,
    value: name,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setName(target.value)
      setError('')
    },
  }
  return { name, error, input, check, refuse }
}
