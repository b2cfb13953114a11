/** Plain-English requests with the people they should find: `node scripts/eval-cascade.ts [--errors] [tuning|test]`. */
import { readCascadeRequests, scoreCascade } from '../test/support/cascade-requests.ts'

const halves = process.argv.includes('tuning')
  ? ['tuning']
  : process.argv.includes('test')
    ? ['test']
    : ['tuning', 'test']
for (const half of halves) {
  const requests = readCascadeRequests(half)
  const { passed, checks, complete, errors } = scoreCascade(requests)
  console.log(
    `cascade, ${half}: ${passed} of ${checks} checks, ${complete} of ${requests.length} requests in every point`,
  )
  // the test half is scored, not printed
  if (half === 'tuning' && process.argv.includes('--errors')) for (const error of errors) console.log(`  ${error}`)
}
