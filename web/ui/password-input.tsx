// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

/** A password that can be shown, so that nobody has to type it twice. Set `autoComplete` to "current-password" or "new-password". */
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
