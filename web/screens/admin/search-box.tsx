import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { useAddressText } from '#web/lib/use-address-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'

type SearchBoxProps = {
  label: string
  hint: string
  value: string | undefined
  onSearch: (q: string | undefined) => void
}

/** Searches on submit rather than per keystroke, because the text may be an email address. */
export function SearchBox({ label, hint, value = '', onSearch }: SearchBoxProps) {
  const { text, setText, send } = useAddressText(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text.trim())
    onSearch(text.trim() || undefined)
  }
  return (
    <search>
      <form noValidate onSubmit={submit} className="flex items-start gap-3">
        <Field label={label} hint={hint} className="min-w-0 flex-1">
          <Input
            type="search"
            start={<Search aria-hidden="true" />}
            value={text}
            maxLength={120}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="secondary" className="mt-[1.6875rem] shrink-0">
          Search
        </Button>
      </form>
    </search>
  )
}

/** For links in a list. Touch targets are 44 px high, so neighbors don't overlap. */
export const rowLink = `${textLink} inline-flex items-center wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:min-w-11`
