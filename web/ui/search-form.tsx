import { Search } from 'lucide-react'
import { useAddressText } from '#web/lib/use-address-text.ts'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

type SearchFormProps = {
  label: string
  placeholder: string
  maxLength: number
  search: string
  onSearch: (text: string) => void
  onClear?: (() => void) | undefined
}

export function SearchForm({ label, placeholder, maxLength, search, onSearch, onClear }: SearchFormProps) {
  const { text, setText, send } = useAddressText(search)
  return (
    <search>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          send(text.trim())
          onSearch(text.trim())
        }}
      >
        <Input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          maxLength={maxLength}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value !== '' || !search || !onClear) return
            send('')
            onClear()
          }}
          start={<Search aria-hidden="true" />}
          className="flex-1"
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
    </search>
  )
}
