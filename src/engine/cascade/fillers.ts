/** Words of a request that say nothing about whom it asks for. */
export const FILLERS = new Set(
  (
    'a an the this that these those some any all every each other another such same new own very really just only also even ' +
    'who whom whose whoever which what where when why how is are was were be been being am do does did done has have had having ' +
    'can could should would will may might must need needs want wants wanted like likes please thanks thank kindly ' +
    'i me my mine we us our ours you your yours they them their theirs he she his her him it its there here ' +
    'someone somebody anyone anybody everyone everybody one ones person persons people ppl folk folks guy guys lady man woman men women ' +
    'find get give show list search look looking seek seeking reach talk speak contact contacts meet email call ask tell see ' +
    'in on at of for to from with by about over into as up off out per via and or but nor not if so than then else too ' +
    'staff team teams department departments function functions unit area side role roles position positions job jobs title titles level ' +
    'employee employees worker workers member members colleague colleagues personnel company companies firm organisation organization ' +
    'business place office currently now today right best main key top most more less least many much few several lot ' +
    'responsible responsibility charge owns own owner runs run running lead leads leading manage manages managing manager oversee oversees overseeing ' +
    'handle handles handling decide decides deciding decision maker makers say approve approves sign signs choose chooses pick picks select ' +
    'holder holders hold holds care take takes taking after work works working worked deal deals dealing day thing things stuff kind type sort ' +
    'write writes writing written using use uses used make makes making go goes going keep keeps keeping put puts let lets help helps know knows think buyer economic ' +
    'budget budgets cost costs bill spend spending based located sitting living near around within across outside inside ' +
    'senior junior mid experienced seasoned big small large global international regional local national group corporate general ' +
    'final last word say purse string strings authority power powerful influence influential able must probably because strong strategic thinker hands still usually typically signatory signing wallet pnl experience background understand understands knowledge ' +
    'committee primary point named called name etc ideally preferably maybe perhaps possibly equivalent similar related whichever whatever yes no ok hello hi hey dear good morning ' +
    'test testing foo bar baz lorem ipsum dolor null undefined none nothing nobody something anything everything ' +
    'heads head chief boss bosses leader leaders leadership executive executives decisionmaker decisionmakers high higher up rank ranking ranked ' +
    'full time part internal external overall entire whole current existing whos wo their theyre different various ' +
    'system systems tool tools software solution solutions platform equipment material project technology matter matters issue issues topic topics question questions'
  ).split(' '),
)
