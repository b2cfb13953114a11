// The default playbook. A problem completes "help with …"; a reason says why such an event makes the problem urgent. They state
// what is usual, never what is the case at the account, and fit whatever the seller offers to the department.
import type { SignalId } from '../signals/index.ts'
import type { BuyingDepartment } from './departments.ts'

export type DefaultPlay = { problem: string; reasons: readonly [string, string] }
type Plays = Readonly<Record<BuyingDepartment, DefaultPlay>>

const play = (problem: string, ...reasons: [string, string]): DefaultPlay => ({ problem, reasons })

export const DEFAULT_PLAYS: Readonly<Record<SignalId, Plays>> = {
  funding: {
    management: play(
      'turning new money into results that investors can see',
      'The first two quarters after a round are usually when the board asks what has changed, and when the leadership team has the least time to answer.',
      'After a round the plan usually grows faster than the organisation behind it, and the gap shows within a quarter or two.',
    ),
    sales: play(
      'building pipeline at the pace of the new plan',
      'New money usually comes with a higher target long before the new salespeople are productive.',
      'After a round the number to hit tends to grow at once, while the team and its tools take months.',
    ),
    technology: play(
      'keeping systems in step with the growth plan',
      'A round usually brings more customers and more engineers at the same time, and the systems feel it first.',
      'After a round the roadmap tends to double, while the same few people keep everything running.',
    ),
    finance: play(
      'reporting to new investors without more manual work',
      'New investors usually ask for monthly figures sooner and in more detail than a finance team is set up to deliver.',
      'After a round, forecasts, cash and board reporting tend to be due faster than spreadsheets can be put together.',
    ),
    people: play(
      'hiring quickly without lowering the bar',
      'A round usually turns into a hiring plan within weeks, and the bottleneck is rarely the budget.',
      'After a round headcount plans tend to double while the people team stays the same size.',
    ),
    operations: play(
      'handling more volume with the same team',
      'New money usually brings more volume before it brings more hands.',
      'After a round, processes that worked for a small team tend to show their limits within months.',
    ),
  },
  leadership_change: {
    management: play(
      'getting a clear picture of the business early',
      'The first months at the top usually go into finding out which numbers can be trusted.',
      'In the first 90 days, most people in your position collect facts from a dozen places before they decide what to change.',
    ),
    sales: play(
      'seeing early which opportunities are real',
      'The first quarter in such a role usually starts with a forecast that someone else made.',
      'The first months usually go into finding out which parts of the pipeline are real.',
    ),
    technology: play(
      'seeing early where systems hold the team back',
      'The first months usually show which systems help and which ones everyone works around.',
      'Most people in a new role like yours spend the first quarter mapping what is there before they can change any of it.',
    ),
    finance: play(
      'getting figures you can rely on in the first months',
      'The first close in a new company usually shows how many figures are still put together by hand.',
      'Most new finance leaders want figures they can trust before they present their first plan.',
    ),
    people: play(
      'seeing early where teams need support',
      'The first months usually go into understanding where teams are stretched and who might leave.',
      'Most new people leaders inherit processes that were built for a smaller company.',
    ),
    operations: play(
      'finding the bottlenecks early',
      'The first months usually show where work really stalls, which is seldom where the reports say.',
      'Most new operations leaders find out quickly that every site works a little differently.',
    ),
  },
  hiring: {
    management: play(
      'growing the team without losing pace',
      'Hiring at this pace usually slows the existing team down before it speeds anything up.',
      'When several roles open at once, the people who know how things work tend to spend their weeks interviewing and explaining.',
    ),
    sales: play(
      'getting new people in sales productive sooner',
      'New people in sales usually need months before they carry their share of the target.',
      'Each new hire in sales brings a target, and the ramp-up time tends to decide whether it is met.',
    ),
    technology: play(
      'getting new colleagues in technology productive sooner',
      'New engineers usually need months to find their way around systems that only a few colleagues know.',
      'While a technology team grows, its most experienced people tend to spend their time on onboarding instead of the roadmap.',
    ),
    finance: play(
      'planning for a growing headcount',
      'Each open position usually changes the cost plan, and most plans learn about it too late.',
      'When a team grows this quickly, budgets and actual figures tend to drift apart within a quarter.',
    ),
    people: play(
      'filling the open positions with the right people',
      'With several positions open at once, a people team usually runs out of hours before it runs out of candidates.',
      'Each week that a key role stays open tends to be work that the rest of the team carries.',
    ),
    operations: play(
      'keeping the work going while the team grows',
      'New colleagues usually arrive faster than the processes that should support them.',
      'While a team grows, experienced people tend to train others instead of doing their own work.',
    ),
  },
  expansion: {
    management: play(
      'bringing a new location up to speed',
      'A new location usually runs on improvised processes for its first year, and the head office sees its numbers last.',
      'Growing into a new place tends to take more of the leadership’s time than the plan says.',
    ),
    sales: play(
      'building demand in a new market',
      'In a new place a sales team usually starts without references, contacts or local data.',
      'A new location tends to have a revenue target before it has its first local customers.',
    ),
    technology: play(
      'connecting a new location with the systems you have',
      'A new location usually brings local systems of its own, and connecting them tends to be planned last.',
      'Each new location adds logins, networks and data that have to fit into what is already there.',
    ),
    finance: play(
      'getting the figures of a new location into the group report',
      'A new location usually means another set of books before it is a line in the group report.',
      'The figures of a new site tend to arrive late and in a different format for the first few months.',
    ),
    people: play(
      'staffing a new location',
      'A new location usually has to be staffed before anyone there knows the company.',
      'Hiring in a new place tends to start without a network or a known name.',
    ),
    operations: play(
      'getting a new location to run like the others',
      'The first months of a new location usually decide whether it runs the way the others do.',
      'A new location tends to start with people who have never worked with your processes.',
    ),
  },
  acquisition: {
    management: play(
      'bringing two companies together without losing momentum',
      'After a deal two companies usually run in parallel for longer than planned, and that is where much of the value gets lost.',
      'The months after a deal tend to be full of open questions about systems, people and customers.',
    ),
    sales: play(
      'keeping customers close while two teams become one',
      'After a deal two sales teams usually call on the same customers with different price lists.',
      'Customers tend to ask about a deal before the sales team has the answers.',
    ),
    technology: play(
      'connecting the systems of two companies',
      'After a deal two sets of systems usually have to work together long before one of them can be switched off.',
      'Most integration plans underestimate the systems and interfaces that were never written down.',
    ),
    finance: play(
      'bringing two sets of books together',
      'The first close after a deal usually means two charts of accounts, two calendars and a lot of manual work.',
      'After a deal the group figures tend to be due long before the two sets of books fit together.',
    ),
    people: play(
      'keeping key people through the change',
      'After a deal the people who know the most are usually the first to hear from recruiters.',
      'Two companies mean two sets of contracts, levels and habits, and the questions tend to start on the first day.',
    ),
    operations: play(
      'bringing two ways of working together',
      'After a deal two ways of working usually exist in parallel for a year or more.',
      'Daily operations tend to carry the load of a deal while the plans are still being written.',
    ),
  },
  product_launch: {
    management: play(
      'making the most of a launch',
      'The first months after a launch usually decide whether a product finds its market, and the feedback arrives in many places.',
      'A launch tends to take attention from everything else for a quarter.',
    ),
    sales: play(
      'turning a launch into customers',
      'A launch usually creates interest faster than a sales team can tell which of it is real.',
      'New products tend to sell to existing customers first, if sales knows which of them to ask.',
    ),
    technology: play(
      'keeping a new product stable while usage grows',
      'After a launch customers usually find the cases that no test covered.',
      'The weeks after a launch tend to split a technology team between fixing and building.',
    ),
    finance: play(
      'seeing early whether a launch pays off',
      'After a launch it usually takes months until the revenue and costs of the new product can be told apart.',
      'A new product tends to need a forecast before there are figures to base it on.',
    ),
    people: play(
      'finding the people that a new product needs',
      'A new product usually needs skills that a team has to find first.',
      'After a launch the same people tend to look after the old product and the new one.',
    ),
    operations: play(
      'delivering a new product well from the first day',
      'A new product usually meets processes that were made for the earlier ones.',
      'Orders for a new product tend to be hard to plan, and the first customers notice.',
    ),
  },
  partnership: {
    management: play(
      'getting results out of a partnership',
      'Many partnerships start with an announcement and then wait until someone has time for them.',
      'The first shared customers usually show whether a partnership works in practice.',
    ),
    sales: play(
      'turning a partnership into shared customers',
      'Partners usually find out late which customers they could win together.',
      'A partnership tends to bring leads that fall between two sales teams.',
    ),
    technology: play(
      'connecting your systems with those of a partner',
      'A partnership usually becomes an integration that has to work on both sides.',
      'Data that crosses two companies tends to be copied by hand at first.',
    ),
    finance: play(
      'settling shared business cleanly',
      'Shared revenue usually starts in a spreadsheet and stays there for too long.',
      'A partnership tends to add settlements that the books were not set up for.',
    ),
    people: play(
      'giving people the time that a partnership needs',
      'Joint projects usually come on top of the daily work.',
      'A partnership tends to need people who know both companies, and at first there are few of them.',
    ),
    operations: play(
      'delivering together with a partner',
      'Working with a partner usually means that two ways of planning have to agree.',
      'The first joint orders tend to show where two ways of working don’t fit.',
    ),
  },
  customer_win: {
    management: play(
      'delivering on a large contract without neglecting other customers',
      'A large new customer usually tests the whole organisation in the first three months.',
      'Winning a contract tends to be the shorter part; delivering it while everything else goes on takes longer.',
    ),
    sales: play(
      'winning more customers like this one',
      'A customer like this usually opens doors to similar ones, if the story reaches them in time.',
      'After a large win a sales team tends to be busy with delivery questions while the pipeline gets thinner.',
    ),
    technology: play(
      'bringing a large customer on board smoothly',
      'A large customer usually brings requirements that the systems have not seen before.',
      'Large customers tend to ask for integrations and security reviews in the first weeks.',
    ),
    finance: play(
      'keeping margin and invoicing of a large contract in view',
      'Large contracts usually come with terms of their own, and invoicing feels it first.',
      'The margin of a large contract tends to be known only months after the work.',
    ),
    people: play(
      'staffing a large contract',
      'A large contract usually needs people sooner than hiring can find them.',
      'After a large win the same people tend to serve old customers and new ones.',
    ),
    operations: play(
      'keeping service levels while volumes grow',
      'A large new customer usually changes volumes faster than planning can follow.',
      'The first deliveries to a new customer tend to set the tone for years.',
    ),
  },
  technology_adoption: {
    management: play(
      'getting the benefit of a new system early',
      'A new system usually takes longer to pay off than to install.',
      'New systems tend to change how teams work together, and that part is seldom in the project plan.',
    ),
    sales: play(
      'making a new system useful for the people in sales',
      'A new system usually slows a sales team down before it helps.',
      'New systems tend to start with incomplete customer data, and sales notices first.',
    ),
    technology: play(
      'connecting a new system with everything around it',
      'The new system itself is usually the shorter part; the connections around it take the time.',
      'A new platform tends to run in parallel with the old one for longer than planned.',
    ),
    finance: play(
      'keeping costs and figures in view while systems change',
      'New systems usually bring costs that show up one invoice at a time.',
      'While systems change, figures tend to come from two places that don’t agree.',
    ),
    people: play(
      'helping people through a change of systems',
      'A new system usually needs more training than the plan allows for.',
      'While systems change, people tend to go back to the tools they know.',
    ),
    operations: play(
      'keeping daily work going while systems change',
      'Daily work usually has to go on while the system under it changes.',
      'The first weeks with a new system tend to bring workarounds that stay for years.',
    ),
  },
  ipo: {
    management: play(
      'preparing a company for life in public',
      'On the way to a listing every figure and process usually gets asked about by people who have never seen the company.',
      'Preparing a listing tends to take the leadership’s time in the very quarters that have to go well.',
    ),
    sales: play(
      'making revenue predictable quarter by quarter',
      'Public markets usually reward predictable quarters, and the forecast starts in sales.',
      'On the way to a listing each quarter tends to be looked at as if it were already public.',
    ),
    technology: play(
      'getting systems ready for the controls of a public company',
      'On the way to a listing auditors usually look at access and changes in systems earlier than expected.',
      'The controls of a public company tend to reach systems that were built for speed.',
    ),
    finance: play(
      'closing faster with controls that hold',
      'Going public usually means faster closes and more controls with the same team.',
      'On the way to a listing it tends to show how much of the close depends on a few people.',
    ),
    people: play(
      'keeping people focused around a listing',
      'A listing usually changes what people expect from the company, and from their shares.',
      'On the way to a listing the people who prepare it tend to do two jobs at once.',
    ),
    operations: play(
      'making operations predictable enough for public targets',
      'Public targets usually leave less room for surprises in daily operations.',
      'On the way to a listing, operations tend to be measured in more detail than before.',
    ),
  },
  layoffs: {
    management: play(
      'keeping the business steady with a smaller team',
      'After a step like this, the work usually has to be shared among fewer people.',
      'The months afterwards tend to be about keeping customers and daily work steady.',
    ),
    sales: play(
      'looking after customers with a smaller team',
      'After a step like this, fewer people usually look after the same customers.',
      'Customers tend to ask what changes for them, and the answer matters.',
    ),
    technology: play(
      'keeping systems running with fewer people',
      'After a step like this, knowledge about systems usually sits with fewer people.',
      'The same systems tend to need the same care, with fewer people to give it.',
    ),
    finance: play(
      'keeping reporting on schedule with fewer people',
      'After a step like this, the close and the reports are usually due on the same days, with fewer people.',
      'Cost plans tend to be rewritten several times in the months afterwards.',
    ),
    people: play(
      'supporting the people who stay',
      'After a step like this, the people who stay usually have the most questions.',
      'The months afterwards tend to ask a lot of the people who stay.',
    ),
    operations: play(
      'keeping daily work going with fewer people',
      'After a step like this, the same work usually has to be done by fewer people.',
      'Daily work tends to depend on knowledge that has to be passed on quickly.',
    ),
  },
  security_incident: {
    management: play(
      'being able to say what is safe again',
      'After an incident, customers and partners usually ask questions for months.',
      'The weeks afterwards tend to be about being able to say with certainty what was affected.',
    ),
    sales: play(
      'answering the security questions of customers',
      'After an incident, customers usually send their questions to the people they know in sales.',
      'New customers tend to ask for more proof of security in the months afterwards.',
    ),
    technology: play(
      'restoring systems, and the trust in them',
      'After an incident, restoring systems is usually the shorter part; showing that they are clean takes longer.',
      'The weeks afterwards tend to show which copies and which logs can be relied on.',
    ),
    finance: play(
      'making sure that the books are complete',
      'After an outage, someone usually has to show that no order and no payment is missing.',
      'The close after an incident tends to take longer, because figures have to be checked twice.',
    ),
    people: play(
      'keeping people informed',
      'After an incident, colleagues usually have questions before there are answers.',
      'The weeks afterwards tend to ask a lot of a few people.',
    ),
    operations: play(
      'keeping work going while systems are restored',
      'While systems are restored, work usually goes on with lists and phone calls.',
      'The backlog of such weeks tends to be felt for months.',
    ),
  },
}

/** For readers who are colleagues of the person who was appointed or left. */
export const PLAY_FOR_COLLEAGUES = play(
  'keeping things going through the change',
  'A change at this level usually puts a few decisions on hold, while the daily work has to go on.',
  'New leaders usually ask for a clear picture first, and their colleagues have to put it together.',
)
/** For a company that sells a part of itself. */
export const PLAY_FOR_SELLERS = play(
  'separating a business cleanly',
  'Separating a business usually takes more work in systems, contracts and reporting than the deal itself.',
  'After a sale, what stays has to run on its own, often with the same systems and fewer people.',
)

/** For grants, loans and other money that is not from a round. */
export const PLAY_FOR_FUNDED = play(
  'showing funders and lenders what their money does',
  'Money like this usually comes with reporting duties long before it shows in the results.',
  'Whoever gives the money usually wants to see regular figures, and collecting them tends to land on a small team.',
)

/** Custom signals have no play of their own. */
export const PLAYS_FOR_OTHER_SIGNALS: Plays = {
  management: play(
    'keeping the plan and the daily work together',
    'News like this usually means new priorities for the same leadership team.',
    'Changes like this tend to touch more teams than the announcement mentions.',
  ),
  sales: play(
    'turning change into new business',
    'News like this usually changes which customers are worth calling first.',
    'Changes like this tend to reach customers before the sales team is prepared.',
  ),
  technology: play(
    'keeping systems in step with the business',
    'News like this usually ends up as new requirements for systems that are already busy.',
    'Changes like this tend to reach the technology team last, with a date attached.',
  ),
  finance: play(
    'keeping plans and figures in step with the business',
    'News like this usually has to be explained in figures sooner than they are available.',
    'Changes like this tend to show up in the plan before the data is there.',
  ),
  people: play(
    'helping teams through change',
    'News like this usually raises questions in every team.',
    'Changes like this tend to need people and skills that have to be found first.',
  ),
  operations: play(
    'keeping daily work steady through change',
    'News like this usually has to be handled next to the daily work.',
    'Changes like this tend to test processes that were made for something else.',
  ),
}
