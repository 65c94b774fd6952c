import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type ClimateImport, undoClimateImport } from '../../../contracts/climate.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { formatNumber } from '../../lib/format.ts'
import { Ago } from '../../ui/ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { toast } from '../../ui/toast-store.ts'
import { importsOptions, refreshClimate } from './climate.api.ts'

/** The files that were imported, and the way back. */
export function ImportHistory({ hunt, mayWrite }: { hunt: Pick<Hunt, 'id'>; mayWrite: boolean }) {
  const list = useInfiniteQuery(importsOptions(hunt.id))
  const undo = useMutation({
    mutationFn: ({ id }: ClimateImport) => call(undoClimateImport, { params: { id } }),
    onSuccess: async (_, { fileName }) => {
      await refreshClimate()
      toast({ title: 'Import undone', description: `What “${fileName}” had added is taken out.` })
    },
    onError: (error) => toast({ title: 'The import could not be undone', description: messageOf(error), variant: 'destructive' }),
  })
  const imports = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (imports.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby="climate-imports">
        <CardBody className="grid gap-3">
          <h2 id="climate-imports" className="text-xl">
            Imported files
          </h2>
          <ul className="grid">
            {imports.map((each) => (
              <li
                key={each.id}
                className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-3 last:border-0 last:pb-0"
              >
                <div className="min-w-0">
                  <p className="truncate font-medium">{each.fileName}</p>
                  <p className="text-muted text-sm">
                    {each.sensor.name} · {formatNumber(each.readingsCount)} readings · {each.timeZone} · <Ago at={each.createdAt} />
                    {each.importedBy && ` · ${each.importedBy.name}`}
                  </p>
                </div>
                {mayWrite && (
                  <Button
                    variant="secondary"
                    size="lg"
                    pending={undo.isPending && undo.variables.id === each.id}
                    onClick={() => undo.mutate(each)}
                    aria-label={`Undo the import of ${each.fileName}`}
                  >
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <MorePages list={list} />
        </CardBody>
      </section>
    </Card>
  )
}
