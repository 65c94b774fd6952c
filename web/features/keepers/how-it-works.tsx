import { usualDraws } from '../../../agronomy/prepare-ranking.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'

const steps = [
  'Each value becomes a worth from 0 to 1 along its trait’s curve: more, less, or close to a target is better (desirability; Derringer & Suich 1980).',
  'Where several runs share a check clone, what it shows in a run above its own mean is the run’s doing and is taken off every value there (Federer 1956). A run without it is left as it is, and named.',
  'Measuring one plant twice makes one better figure. Only another plant of the same phenotype is a replicate.',
  'Replicates show how much of a trait is inherited (analysis of variance by moments). With few of them your stated figure, or else 30%, counts for more.',
  'Each phenotype’s mean is pulled towards the hunt’s: one lucky plant is mostly luck (best linear unbiased prediction; Henderson 1975).',
  'What was not measured counts as the hunt’s mean with full uncertainty, never as zero.',
  'The score from 0 to 100 is the mean of these worths by your weights. The line around it holds the true score four times in five.',
  `The chance to be the best is how often a phenotype comes out first in ${formatNumber(usualDraws)} redraws of what we do not know. The draws never change, so moving a weight changes nothing by chance.`,
  'Under 80% for the leader it is too close to call, and those within reach are the few that together hold the best with 90% (Bechhofer 1954).',
  'The next measurement is the one expected to raise what you choose the most (knowledge gradient; Frazier, Powell & Dayanik 2008).',
]

/** Folded away until somebody wants to know. */
export const HowItWorks = () => (
  <Card asChild>
    <details className="group">
      <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium sm:px-5">How this is computed</summary>
      <ol className="grid list-decimal gap-2 px-4 pb-4 pl-9 text-muted text-sm sm:px-5 sm:pb-5 sm:pl-10">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  </Card>
)
