import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

/** A password field with a show button instead of a repeated field. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton size="sm" label={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)} disabled={props.disabled}>
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  )
}
