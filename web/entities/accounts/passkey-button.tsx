import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { FormError } from '#web/ui/field.tsx'

type PasskeyButtonProps = {
  size: 'sm' | 'lg'
  /** The button shows any error this throws. */
  onPress: () => Promise<void>
  className?: string
  children: string
}

async function problemOf(error: unknown): Promise<string> {
  const passkeys = await import('#web/lib/passkeys.ts').catch(() => null)
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
      <FormError>{problem}</FormError>
    </div>
  )
}

/** Browsers require HTTPS or localhost, and a domain name, so http://192.168.… doesn't work. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && /[a-z]/i.test(window.location.hostname.replace(/^\[.*/, ''))
