import { Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { Input } from './input.tsx'

type SearchFormProps = {
  label: string
  placeholder: string
  maxLength: number
  /** Change `key` along with this. */
  search: string
  onSearch: (text: string) => void
  onClear?: (() => void) | undefined
}

export function SearchForm({ label, placeholder, maxLength, search, onSearch, onClear }: SearchFormProps) {
  const [typed, setTyped] = useState(search)
  return (
    <search>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(typed.trim())
        }}
      >
        <Input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          maxLength={maxLength}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '' && search) onClear?.()
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
