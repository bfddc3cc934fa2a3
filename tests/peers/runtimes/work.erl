%% Counts words and sorts them in four processes, for about two seconds.
-module(work).
-export([main/1]).

mix(X, 0) -> X;
mix(X, N) -> mix((X * 1103515245 + 12345) band 16#7fffffff, N - 1).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

count(_, 0, Seen) -> Seen;
count(Seed, N, Seen) ->
    Next = mix(Seed, 20),
    Word = <<"w", (integer_to_binary(Next rem 500))/binary>>,
    count(Next, N - 1, maps:update_with(Word, fun(C) -> C + 1 end, 1, Seen)).

top(Seen) ->
    lists:sublist(lists:sort(fun({_, A}, {_, B}) -> A >= B end, maps:to_list(Seen)), 10).

loop(End, N) ->
    case erlang:monotonic_time(millisecond) < End of
        true -> loop(End, N + length(top(count(N, 500, #{}))) + fib(15));
        false -> N
    end.

main([Seconds]) ->
    End = erlang:monotonic_time(millisecond) + 1000 * list_to_integer(Seconds),
    Me = self(),
    [spawn_link(fun() -> Me ! loop(End, I) end) || I <- lists:seq(1, 4)],
    [receive N when N > 0 -> ok end || _ <- lists:seq(1, 4)],
    io:format("ok~n"),
    halt().
