import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

type SearchBoxProps = {
  label: string
  hint: string
  value: string | undefined
  onSearch: (q: string | undefined) => void
}

/** Asks when it is sent, not at each letter: what is typed may be somebody's address. */
export function SearchBox({ label, hint, value = '', onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
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
        {/* Beside the input, below the label. */}
        <Button type="submit" variant="secondary" className="mt-[1.6875rem] shrink-0">
          Search
        </Button>
      </form>
    </search>
  )
}
