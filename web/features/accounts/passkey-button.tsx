// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldError } from '../../ui/field.tsx'

type PasskeyButtonProps = {
  size: 'sm' | 'lg'
  /** Has the device ask for a finger, a face or a PIN, and does what follows; what it throws is shown. */
  onPress: () => Promise<void>
  className?: string
  children: string
}

/** In the words of the code that speaks with the device, which is loaded for that alone. */
async function problemOf(error: unknown): Promise<string> {
  const passkeys = await import('../../lib/passkeys.ts').catch(() => null)
  return passkeys?.passkeyProblem(error) ?? messageOf(error)
}

export function PasskeyButton({ size, onPress, className, children }: PasskeyButtonProps) {
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function press() {
    setPending(true)
    setProblem(null)
    try {
      await onPress()
    } catch (error) {
      setProblem(await problemOf(error))
    }
    setPending(false)
  }

  return (
    <div className={cx('grid gap-2.5', className)}>
      <Button variant="secondary" size={size} pending={isPending} pendingText="Waiting for your device..." onClick={() => void press()}>
        <KeyRound aria-hidden="true" />
        {children}
      </Button>
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
    </div>
  )
}
