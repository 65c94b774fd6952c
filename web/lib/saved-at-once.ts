import type { QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryClient } from './query-client.ts'

type SavedAtOnce<Data, Choice> = {
  /** The answer that holds the settings, or null for whoever has none. */
  queryKey: QueryKey
  withChoice: (settings: Data, choice: Choice) => Data
  /** The settings with what this choice was about as it was `before`. */
  turnedBack: (settings: Data, before: Data, choice: Choice) => Data
  /** Sends the choice. `settings` are those that the server has, with this choice: nothing that may still be refused. */
  save: (choice: Choice, settings: Data) => Promise<unknown>
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Settings without a button to save them. What is chosen is shown from the press on, wherever the answer is shown, and goes out one after
 * another. A choice that is refused is taken back alone, and not under a later one of the same setting; answers that were asked for before
 * the choice are older than it and are not taken.
 */
export function savedAtOnce<Data extends object, Choice extends object>({
  queryKey,
  withChoice,
  turnedBack,
  save,
  onSaved,
  onFailed,
}: SavedAtOnce<Data, Choice>) {
  /** Not answered yet, in their order. */
  let choices: readonly Choice[] = []
  /** What the server has of what they are about. */
  let before: Data | undefined
  let saving: Promise<void> = Promise.resolve()
  let isReadAgain = false
  const listeners = new Set<() => void>()

  const now = () => queryClient.getQueryData<Data | null>(queryKey) ?? undefined

  function change(next: readonly Choice[], settings: (data: Data) => Data): void {
    const filter = { queryKey, exact: true }
    isReadAgain ||= queryClient.isFetching(filter) > 0
    void queryClient.cancelQueries(filter)
    queryClient.setQueryData<Data | null>(queryKey, (data) => data && settings(data))
    choices = next
    for (const listener of listeners) listener()
    if (choices.length > 0 || !isReadAgain) return
    isReadAgain = false
    void queryClient.invalidateQueries(filter)
  }

  async function send(choice: Choice): Promise<void> {
    const others = () => choices.filter((each) => each !== choice)
    const [data, known] = [now(), before]
    // Forgotten since: somebody has signed out.
    if (data === undefined || known === undefined) return change(others(), (settings) => settings)
    const kept = choices.reduce<Data>((settings, each) => turnedBack(settings, known, each), data)
    try {
      await save(choice, withChoice(kept, choice))
    } catch (error) {
      change(others(), (settings) => others().reduce<Data>(withChoice, turnedBack(settings, known, choice)))
      return onFailed(error)
    }
    before = withChoice(known, choice)
    change(others(), (settings) => others().reduce<Data>(withChoice, withChoice(settings, choice)))
    onSaved?.()
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return {
    choose(choice: Choice): void {
      const data = now()
      if (data === undefined) return
      if (choices.length === 0) before = data
      change([...choices, choice], (settings) => withChoice(settings, choice))
      saving = saving.then(() => send(choice))
    },
    /** The settings with what is under way. They are told within the press: the cache tells later, and React sets a box back by then. */
    useShown: <None extends null | undefined>(settings: Data | None): Data | None => {
      const chosen = useSyncExternalStore(
        subscribe,
        () => choices,
        () => choices,
      )
      return settings && chosen.reduce<Data>(withChoice, settings)
    },
  }
}

/** Turns settings back that are fields of one answer. */
export function fieldsBack<Data extends object>(settings: Data, before: Data, choice: Partial<NoInfer<Data>>): Data {
  const fields = Object.keys(choice) as (keyof Data)[]
  return { ...settings, ...Object.fromEntries(fields.map((field) => [field, before[field]])) }
}
